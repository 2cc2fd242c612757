/** The hint below a cell whose SyntaxError comes from full-width punctuation, with 一键改正. */
import type { CodeCell } from '@jupyterlab/cells';
import { type PanelLayout, Widget } from '@lumino/widgets';

import { findFullwidth, mendFullwidth } from '../../core/fullwidth.ts';
import type { StudioT } from '../../i18n/studio.ts';

export class FullwidthHint extends Widget {
  constructor(cell: CodeCell, t: StudioT) {
    super();
    this.addClass('jq-FullwidthHint');
    const [first] = findFullwidth(cell.model.sharedModel.getSource());
    const text = document.createElement('span');
    text.textContent = first ? t('hint.fullwidth', { n: first.line, c: first.mark, d: first.instead }) : '';
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = t('hint.fix');
    button.addEventListener('click', () => {
      const { sharedModel } = cell.model;
      sharedModel.setSource(mendFullwidth(sharedModel.getSource()));
      this.dispose();
      cell.editor?.focus();
    });
    this.node.setAttribute('role', 'status');
    this.node.append(text, button);
  }
}

const hints = new WeakMap<CodeCell, FullwidthHint>();

/** Shows, renews or removes the hint of a cell after a run. */
export function updateHint(cell: CodeCell, failedWith: string | null, t: StudioT): void {
  hints.get(cell)?.dispose();
  hints.delete(cell);
  if (failedWith !== 'SyntaxError' || findFullwidth(cell.model.sharedModel.getSource()).length === 0) return;
  const hint = new FullwidthHint(cell, t);
  hints.set(cell, hint);
  (cell.layout as PanelLayout).addWidget(hint);
}
