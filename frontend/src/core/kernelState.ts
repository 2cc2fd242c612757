/** What the state chip says: one word from everything known about the kernel. */
import type { KernelStatus } from './boot.ts';

export type Connection = 'none' | 'connecting' | 'connected' | 'lost';

export interface KernelFacts {
  /** The platform's word; null when the document has no kernel. */
  platform: KernelStatus | null;
  connection: Connection;
  /** The kernel's own word over the websocket: idle, busy, starting, restarting, dead, unknown. */
  execution: string;
  pendingInput: boolean;
  restarting: boolean;
  /** Runs that wait for the kernel. */
  queued: number;
  /** HTTP works and the websocket does not. */
  blocked: boolean;
  /** The browser reports no network, or the server did not answer. */
  offline: boolean;
}

export type ChipWord =
  | 'none'
  | 'preparing'
  | 'ready'
  | 'busy'
  | 'input'
  | 'restarting'
  | 'stopping'
  | 'stopped'
  | 'failed'
  | 'reconnecting'
  | 'blocked';

export const initialFacts: KernelFacts = {
  platform: null,
  connection: 'none',
  execution: 'unknown',
  pendingInput: false,
  restarting: false,
  queued: 0,
  blocked: false,
  offline: false,
};

/** Chooses the word; the order is by what the person can do about it. */
export function chipWord(facts: KernelFacts): ChipWord {
  if (facts.platform === 'failed') return 'failed';
  if (facts.platform === 'stopped' || facts.execution === 'dead') return 'stopped';
  if (facts.platform === 'stopping') return 'stopping';
  if (facts.platform === null) return 'none';
  if (facts.blocked) return 'blocked';
  if (facts.restarting || facts.platform === 'restarting' || /restarting$/.test(facts.execution)) return 'restarting';
  if (facts.connection === 'lost') return 'reconnecting';
  if (facts.platform !== 'ready' || facts.connection !== 'connected') return 'preparing';
  if (facts.pendingInput) return 'input';
  if (facts.execution === 'busy') return 'busy';
  return facts.execution === 'idle' ? 'ready' : 'preparing';
}

/** Whether a run may be asked for; while the kernel is on its way the run waits at the gate. */
export function canRun(word: ChipWord): boolean {
  return word !== 'blocked' && word !== 'stopping';
}

export type ChipTone = 'ok' | 'busy' | 'wait' | 'warn' | 'danger' | 'idle';

export function chipTone(word: ChipWord): ChipTone {
  switch (word) {
    case 'ready':
      return 'ok';
    case 'busy':
      return 'busy';
    case 'input':
    case 'stopping':
    case 'reconnecting':
      return 'warn';
    case 'preparing':
    case 'restarting':
      return 'wait';
    case 'failed':
    case 'blocked':
      return 'danger';
    case 'none':
    case 'stopped':
      return 'idle';
  }
}
