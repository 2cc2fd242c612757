/** Entry of the portal: asks for what every page needs, then draws. */
import '../ui/tokens.css';

import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';

import { lessonsQuery, meQuery, portalQueries, siteQuery } from '../api/queries.ts';
import { cookieValue, LANGUAGE_COOKIE, languageCookie, languageOf, negotiateLanguage } from '../core/portal/language.ts';
import { WordsProvider } from '../ui/portal/Words.tsx';
import { App } from './portal/App.tsx';
import { prefetchStudio } from './portal/prefetchStudio.ts';

const asked = new URLSearchParams(location.search).get('lang');
const language = negotiateLanguage({
  query: asked,
  cookie: cookieValue(document.cookie, LANGUAGE_COOKIE),
  // What the server has drawn the page in; without it the browser's own list.
  boot: document.getElementById('jiqi-boot') ? document.documentElement.lang : null,
  preferred: navigator.languages,
});

// An address that names a language is a choice: the answers of the server must come in it too.
if (languageOf(asked)) document.cookie = languageCookie(language, { secure: location.protocol === 'https:' });

const queries = portalQueries();
void queries.prefetchQuery(meQuery);
void queries.prefetchQuery(lessonsQuery(language));
void queries.fetchQuery(siteQuery).then(prefetchStudio, () => undefined);

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <WordsProvider initial={language}>
        <BrowserRouter>
          <App />
        </BrowserRouter>
      </WordsProvider>
    </QueryClientProvider>
  </StrictMode>,
);
