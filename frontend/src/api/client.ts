/** The portal's API: typed from docs/openapi.json, with the XSRF header, raising what `core/problems` raises. */
import createClient, { type Middleware } from 'openapi-fetch';

import { cookieValue } from '../core/portal/language.ts';
import { ProblemError, problemOf, UnreachableError } from '../core/problems.ts';
import type { components, paths } from './schema.d.ts';

export type Schemas = components['schemas'];

const XSRF_COOKIE = 'jiqi_xsrf';
const XSRF_HEADER = 'X-Jiqi-XSRF';
const SAFE = new Set(['GET', 'HEAD']);

const guard: Middleware = {
  onRequest({ request }) {
    // Another tab may have got a new one since this page was loaded, so it is read each time.
    const secret = cookieValue(document.cookie, XSRF_COOKIE);
    if (!SAFE.has(request.method) && secret) request.headers.set(XSRF_HEADER, secret);
    return request;
  },
  async onResponse({ response }) {
    if (!response.ok) throw new ProblemError(await problemOf(response));
    return response;
  },
  onError({ error }) {
    return error instanceof ProblemError ? error : new UnreachableError(String(error));
  },
};

export const api = createClient<paths>({
  // Looked up at each call, so that a test can stand in for the network.
  fetch: (request) => globalThis.fetch(request),
  cache: 'no-store',
  credentials: 'same-origin',
});
api.use(guard);

/** The body of an answer; the guard has raised for every other kind. */
export async function body<T>(answer: Promise<{ data?: T }>): Promise<T> {
  return (await answer).data as T;
}
