/** Where to go after a login: only to a page of this portal, whatever the address says. */

export function nextPage(search: string): string {
  const next = new URLSearchParams(search).get('next') ?? '/';
  // Browsers read a backslash as a slash, so that /\host leaves the site as //host does.
  const inside = /^\/(?![/\\])/.test(next) && !/[\u0000-\u001f]/.test(next); // eslint-disable-line no-control-regex
  return inside ? next : '/';
}

/** Whether the portal draws this address itself; all others are the server's. */
export function isPortalPage(path: string): boolean {
  return /^\/(?:lessons(?:\/[^/]+)?|projects|tokens)?\/?(?:[?#]|$)/.test(path);
}

/** The login page's address for somebody who wants to see `path`. */
export function loginPage(path: string): string {
  return `/login?next=${encodeURIComponent(path)}`;
}
