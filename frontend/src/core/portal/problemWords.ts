/** Says a problem in the reader's language: by its stable code, else in the words that the server sent. */
import { ProblemError, UnreachableError } from '../problems.ts';

export interface Told {
  /** The sentence to show. */
  text: string;
  /** The stable code, shown in small type. */
  code: string;
  /** The number under which the server logged it. */
  requestId: string | null;
  /** Nothing is wrong with the request itself: sending it again may help. */
  again: boolean;
}

/** The template for a code in the reader's language, or null when there is none. */
export type Template = (code: string) => string | null;

const SLOT = /\{(\w+)\}/g;

/** Fills `{name}`; null when a value is missing, so that nobody reads a sentence with a hole. */
export function fill(template: string, params: Record<string, unknown>): string | null {
  let whole = true;
  const text = template.replace(SLOT, (_match, name: string) => {
    const value = params[name];
    if (typeof value !== 'string' && typeof value !== 'number') whole = false;
    return String(value);
  });
  return whole ? text : null;
}

function codeOf(error: unknown): string {
  if (error instanceof UnreachableError) return 'network.down';
  if (error instanceof ProblemError) return error.code;
  return 'internal';
}

/** For an answer without a code of ours, such as a proxy's page while the server restarts. */
function fallback(status: number): string {
  if (status === 404) return 'not_found';
  if (status === 502 || status === 503 || status === 504) return 'unavailable';
  return status >= 500 ? 'internal' : 'input.invalid';
}

/** What to tell about any error that a request raised. */
export function tell(error: unknown, template: Template): Told {
  const code = codeOf(error);
  const problem = error instanceof ProblemError ? error.problem : null;
  const known = template(code);
  const said = known === null ? null : fill(known, problem?.params ?? {});
  return {
    text: said ?? problem?.detail ?? template(fallback(problem?.status ?? 500)) ?? code,
    code,
    requestId: problem?.request_id ?? null,
    again: problem === null || problem.status >= 500,
  };
}
