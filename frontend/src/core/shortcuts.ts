/** Which command a key press means; pure, so that IME and mode rules are tested without a page. */

export type Command =
  | 'run-advance'
  | 'run-stay'
  | 'run-insert'
  | 'save'
  | 'interrupt'
  | 'restart'
  | 'insert-above'
  | 'insert-below'
  | 'delete-cell'
  | 'undo-cell'
  | 'redo-cell'
  | 'to-code'
  | 'to-markdown'
  | 'to-raw'
  | 'select-above'
  | 'select-below'
  | 'edit-mode'
  | 'command-mode'
  | 'copy-cell'
  | 'cut-cell'
  | 'paste-cell'
  | 'move-up'
  | 'move-down'
  | 'merge-cells'
  | 'split-cell'
  | 'toggle-output'
  | 'tooltip'
  | 'help';

export interface Press {
  key: string;
  ctrl: boolean;
  meta: boolean;
  alt: boolean;
  shift: boolean;
  /** The press belongs to an input method: it composes or confirms text. */
  composing: boolean;
}

export type Mode = 'edit' | 'command';

/** `double` presses (D D, I I, 0 0) need the press before; the caller keeps it for a second. */
export function commandFor(press: Press, mode: Mode, before: string | null = null): Command | null {
  // The Enter that confirms an IME's candidate must neither run a cell nor leave the editor.
  if (press.composing || press.key === 'Process') return null;
  const accel = press.ctrl || press.meta;
  const key = press.key.length === 1 ? press.key.toLowerCase() : press.key;
  if (key === 'Enter') {
    if (press.alt && !accel) return 'run-insert';
    if (accel) return 'run-stay';
    if (press.shift) return 'run-advance';
    return mode === 'command' ? 'edit-mode' : null;
  }
  if (accel && !press.alt && !press.shift && key === 's') return 'save';
  if (press.ctrl && press.shift && (key === '-' || key === '_') && mode === 'edit') return 'split-cell';
  if (mode === 'edit') {
    if (key === 'Escape') return 'command-mode';
    return key === 'Tab' && press.shift && !accel ? 'tooltip' : null;
  }
  if (accel || press.alt) {
    if (accel && press.shift && key === 'ArrowUp') return 'move-up';
    return accel && press.shift && key === 'ArrowDown' ? 'move-down' : null;
  }
  return commandMode(key, press.shift, before);
}

const SINGLE: Record<string, Command> = {
  a: 'insert-above', b: 'insert-below', y: 'to-code', m: 'to-markdown', r: 'to-raw', z: 'undo-cell', c: 'copy-cell',
  x: 'cut-cell', v: 'paste-cell', o: 'toggle-output', k: 'select-above', j: 'select-below', ArrowUp: 'select-above',
  ArrowDown: 'select-below', h: 'help', '?': 'help',
};

function commandMode(key: string, shift: boolean, before: string | null): Command | null {
  if (shift) {
    if (key === 'm') return 'merge-cells';
    if (key === 'z') return 'redo-cell';
    return key === '?' ? 'help' : null;
  }
  if (before === key) {
    if (key === 'd') return 'delete-cell';
    if (key === 'i') return 'interrupt';
    if (key === '0') return 'restart';
  }
  return SINGLE[key] ?? null;
}
