/** Catches what a page throws, also its own code that did not arrive: the bars around it stay, and one can reload. */
import { Component, type ReactElement, type ReactNode } from 'react';

import { Button } from '../../ui/portal/Button.tsx';
import { Page, PageHead } from '../../ui/portal/Page.tsx';
import { useWords } from '../../ui/portal/Words.tsx';

interface State {
  broken: boolean;
}

export class Unbroken extends Component<{ children: ReactNode }, State> {
  override state: State = { broken: false };

  static getDerivedStateFromError(): State {
    return { broken: true };
  }

  override render(): ReactNode {
    return this.state.broken ? <Broken /> : this.props.children;
  }
}

function Broken(): ReactElement {
  const { t } = useWords();
  return (
    <Page tab={t('broken.title')} product={t('app.name')} narrow>
      <div role="alert">
        <PageHead title={t('broken.title')} sub={t('broken.text')} />
      </div>
      <Button kind="primary" onClick={() => location.reload()}>
        {t('broken.reload')}
      </Button>
    </Page>
  );
}
