/** What the portal reads from the server, as queries; `keys` names what a write makes stale. */
import { MutationCache, QueryCache, QueryClient, queryOptions } from '@tanstack/react-query';

import type { Lang } from '../core/boot.ts';
import { ProblemError } from '../core/problems.ts';
import { api, body } from './client.ts';

export const keys = {
  me: ['me'],
  site: ['site'],
  lessons: ['lessons'],
  projects: ['projects'],
  environments: ['environments'],
  tokens: ['tokens'],
  sessions: ['sessions'],
} as const;

export const meQuery = queryOptions({ queryKey: keys.me, queryFn: () => body(api.GET('/api/v1/me')), staleTime: 30_000 });

/** While no kernel can start, the page looks again by itself. */
export const siteQuery = queryOptions({
  queryKey: keys.site,
  queryFn: () => body(api.GET('/api/v1/site')),
  staleTime: 60_000,
  refetchInterval: ({ state }) => (state.data?.problem ? 10_000 : false),
});

/** Lessons come in the reader's language, so each language has its own answer. */
export const lessonsQuery = (language: Lang) =>
  queryOptions({
    queryKey: [...keys.lessons, language],
    queryFn: async () => (await body(api.GET('/api/v1/lessons'))).lessons,
    staleTime: 60_000,
  });

export const projectsQuery = queryOptions({
  queryKey: keys.projects,
  queryFn: async () => (await body(api.GET('/api/v1/projects'))).projects,
});

export const projectQuery = (project: string) =>
  queryOptions({
    queryKey: [...keys.projects, project],
    queryFn: () => body(api.GET('/api/v1/projects/{project}', { params: { path: { project } } })),
    staleTime: 0,
  });

export const environmentsQuery = (language: Lang) =>
  queryOptions({
    queryKey: [...keys.environments, language],
    queryFn: () => body(api.GET('/api/v1/environments')),
  });

export const tokensQuery = queryOptions({
  queryKey: keys.tokens,
  queryFn: async () => (await body(api.GET('/api/v1/tokens'))).tokens,
});

export const sessionsQuery = queryOptions({
  queryKey: keys.sessions,
  queryFn: async () => (await body(api.GET('/api/v1/sessions'))).sessions,
});

/** What the server refused stays refused; only silence and its own faults are asked again, once. */
function retry(failures: number, error: Error): boolean {
  const refused = error instanceof ProblemError && error.status < 500;
  return !refused && failures < 1;
}

export function portalQueries(): QueryClient {
  // A login that ended elsewhere is noticed by whatever is refused first; then every page must know who reads.
  const onError = (error: Error): void => {
    if (error instanceof ProblemError && error.code === 'login.required') void queries.invalidateQueries({ queryKey: keys.me });
  };
  const queries = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    // The server may be this very machine: a browser that thinks itself offline must ask all the same, and be told.
    defaultOptions: {
      queries: { networkMode: 'always', retry, staleTime: 5_000 },
      mutations: { networkMode: 'always', retry: false },
    },
  });
  return queries;
}
