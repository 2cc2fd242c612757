/** Fetches the studio's bundle while the reader reads, where the browser's cache will still have it there. */
import type { Schemas } from '../../api/client.ts';
import { sameSite } from '../../core/portal/prefetch.ts';

/** Waits for an idle moment; does nothing across sites, on a saved-data connection, or before the page's own work is done. */
export function prefetchStudio(site: Schemas['Site']): void {
  const saving = (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;
  if (saving || !sameSite(site.portal_url, site.notebook_url)) return;
  const later = globalThis.requestIdleCallback ?? ((work: () => void) => setTimeout(work, 2000));
  later(() => void link(site.notebook_url));
}

async function link(origin: string): Promise<void> {
  try {
    const base = import.meta.env.BASE_URL;
    const answer = await fetch(`${base}studio-files.json`);
    if (!answer.ok) return;
    for (const file of (await answer.json()) as string[]) {
      const element = document.createElement('link');
      element.rel = 'prefetch';
      element.href = `${origin}${base}${file}`;
      element.as = file.endsWith('.css') ? 'style' : 'script';
      document.head.append(element);
    }
  } catch {
    // A prefetch that does not work costs nothing: the studio loads its files itself.
  }
}
