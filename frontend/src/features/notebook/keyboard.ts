/** Turns key presses inside the notebook into commands; an input method's presses pass untouched. */
import { type Command, commandFor, type Press } from '../../core/shortcuts.ts';
import type { Completion } from './completion.ts';
import type { Tooltips } from './tooltip.ts';

const DOUBLE_MS = 800;

export function pressOf(event: KeyboardEvent): Press {
  return {
    key: event.key,
    ctrl: event.ctrlKey,
    meta: event.metaKey,
    alt: event.altKey,
    shift: event.shiftKey,
    composing: event.isComposing || event.keyCode === 229,
  };
}

/** Inputs inside outputs (widgets, `input()`) and rendered links keep their own keys. */
function ownsKeys(target: Element): boolean {
  return !target.closest('.cm-editor') && target.closest('input, textarea, select, button, [contenteditable="true"]') !== null;
}

export function listenKeys(
  node: HTMLElement,
  parts: { completion: Completion; tooltips: Tooltips; perform: (command: Command) => void },
): () => void {
  const { completion, tooltips, perform } = parts;
  let before: { key: string; at: number } | null = null;

  const take = (event: KeyboardEvent): void => {
    event.preventDefault();
    event.stopPropagation();
  };

  const listener = (event: KeyboardEvent): void => {
    const target = event.target as Element;
    // With the focus nowhere, keys still mean the notebook.
    if (target !== document.body && !node.contains(target)) return;
    const press = pressOf(event);
    const accel = press.ctrl || press.meta;
    if (ownsKeys(target) && !(accel && press.key === 's')) return;
    const editing = target.closest('.cm-editor') !== null;
    if (editing && !press.composing) {
      if (press.key === 'Tab' && !press.shift && !accel && completion.invoke()) return take(event);
      if (press.key === 'Enter' && !press.shift && !accel && completion.accept()) return take(event);
      if (press.key === 'Escape' && completion.isOpen) return;
      if (tooltips.isOpen) {
        tooltips.close();
        if (press.key === 'Escape') return take(event);
      }
    }
    const recent = before && event.timeStamp - before.at < DOUBLE_MS ? before.key : null;
    const command = commandFor(press, editing ? 'edit' : 'command', recent);
    const repeated = command !== null && recent === press.key.toLowerCase();
    before = press.composing || repeated ? null : { key: press.key.toLowerCase(), at: event.timeStamp };
    if (!command) return;
    take(event);
    perform(command);
  };

  document.addEventListener('keydown', listener, true);
  return () => document.removeEventListener('keydown', listener, true);
}
