/** The factory for what cells are made of; its input box for `input()` knows input methods. */
import { Stdin } from '@jupyterlab/outputarea';
import { Notebook } from '@jupyterlab/notebook';

/** The stock box sends on the Enter that confirms an input method's candidate. */
export class ImeStdin extends Stdin {
  override handleEvent(event: KeyboardEvent): void {
    if (event.type === 'keydown' && (event.isComposing || event.keyCode === 229)) {
      event.stopPropagation();
      return;
    }
    super.handleEvent(event);
  }
}

export class StudioContentFactory extends Notebook.ContentFactory {
  override createStdin(options: Stdin.IOptions): Stdin {
    return new ImeStdin(options);
  }
}
