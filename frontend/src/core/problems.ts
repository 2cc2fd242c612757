/** Problems (RFC 9457) as errors, and requests to the platform's API that raise them. */
import type { Problem } from './boot.ts';

export class ProblemError extends Error {
  constructor(readonly problem: Problem) {
    super(problem.detail ?? problem.title);
  }

  get code(): string {
    return this.problem.code;
  }

  get status(): number {
    return this.problem.status;
  }
}

/** The server could not be reached at all; nothing is known about what it did. */
export class UnreachableError extends Error {
  readonly code = 'net.unreachable';
}

/** Makes a problem of any failed response, also of Jupyter's `{message, reason}` and of a proxy's HTML. */
export async function problemOf(response: Response): Promise<Problem> {
  let body: Record<string, unknown> = {};
  try {
    body = (await response.json()) as Record<string, unknown>;
  } catch {
    // Not JSON: the status line is all there is.
  }
  const say = (key: string): string | undefined => (typeof body[key] === 'string' && body[key] ? (body[key] as string) : undefined);
  return {
    title: say('title') ?? say('message') ?? response.statusText,
    detail: say('detail') ?? say('message'),
    status: response.status,
    code: say('code') ?? `http.${response.status}`,
    params: (body['params'] as Record<string, unknown> | undefined) ?? {},
    request_id: say('request_id'),
  };
}

export interface ApiOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  body?: unknown;
  headers?: Record<string, string>;
}

/** One JSON request; raises `ProblemError` for an answer that is not 2xx, `UnreachableError` for none. */
export async function requestJson<T>(url: string, options: ApiOptions = {}): Promise<T> {
  const init: RequestInit = {
    method: options.method ?? 'GET',
    credentials: 'same-origin',
    cache: 'no-store',
    headers: { accept: 'application/json', 'content-type': 'application/json', ...options.headers },
  };
  if (options.body !== undefined) init.body = JSON.stringify(options.body);
  let response: Response;
  try {
    response = await fetch(url, init);
  } catch (error) {
    throw new UnreachableError(String(error));
  }
  if (!response.ok) throw new ProblemError(await problemOf(response));
  return response.status === 204 ? (undefined as T) : ((await response.json()) as T);
}

/** Makes a problem of anything that was thrown; `code` names what was being done. */
export function asProblem(error: unknown, code: string): Problem {
  if (error instanceof ProblemError) return error.problem;
  return { title: String(error), status: 0, code: (error as { code?: string }).code ?? code };
}
