/** The states of saving as a pure machine; `edit` counts changes, so that a save that was overtaken leaves "unsaved". */

export type SaveState =
  | { kind: 'saved'; at: number | null }
  | { kind: 'dirty' }
  | { kind: 'saving' }
  | { kind: 'failed'; code: string; why: string; retries: number }
  | { kind: 'conflict'; at: string | null };

export interface SaveMachine {
  state: SaveState;
  /** The number of the newest change. */
  edit: number;
  /** The number of the change that the running save carries. */
  carried: number;
  retries: number;
}

export type SaveEvent =
  | { type: 'changed' }
  | { type: 'started' }
  | { type: 'saved'; at: number }
  | { type: 'failed'; code: string; why: string }
  | { type: 'conflict'; at: string | null }
  | { type: 'resolved' };

export const freshSave: SaveMachine = { state: { kind: 'saved', at: null }, edit: 0, carried: 0, retries: 0 };

/** Takes one step. A change during a conflict or a failed save keeps that state: it is the more urgent thing to say. */
export function advanceSave(machine: SaveMachine, event: SaveEvent): SaveMachine {
  switch (event.type) {
    case 'changed': {
      const edit = machine.edit + 1;
      return machine.state.kind === 'saved' ? { ...machine, edit, state: { kind: 'dirty' } } : { ...machine, edit };
    }
    case 'started':
      return { ...machine, carried: machine.edit, state: { kind: 'saving' } };
    case 'saved': {
      const overtaken = machine.edit !== machine.carried;
      return { ...machine, retries: 0, state: overtaken ? { kind: 'dirty' } : { kind: 'saved', at: event.at } };
    }
    case 'failed': {
      const retries = machine.retries + 1;
      return { ...machine, retries, state: { kind: 'failed', code: event.code, why: event.why, retries } };
    }
    case 'conflict':
      return { ...machine, state: { kind: 'conflict', at: event.at } };
    case 'resolved':
      return { ...machine, retries: 0, state: { kind: 'dirty' } };
  }
}

/** Seconds until the next try: 2, 4, 8 … 60. */
export function retryDelay(retries: number): number {
  return Math.min(60, 2 ** Math.max(1, retries));
}
