/** When the notebook's bundle may be fetched ahead: browsers keep one cache per site, so only within the same site. */

const isAddress = (host: string): boolean => /^\d+(\.\d+){3}$/.test(host) || host.includes(':');

/** Whether two origins share a browser cache. Hosts without the public suffix list: equal, or one domain beneath the other's parent. */
export function sameSite(one: string, other: string): boolean {
  const a = new URL(one);
  const b = new URL(other);
  if (a.protocol !== b.protocol) return false;
  if (a.hostname === b.hostname) return true;
  if (isAddress(a.hostname) || isAddress(b.hostname)) return false;
  return parent(a.hostname) === parent(b.hostname);
}

/** The last two labels, or three beneath a country's second level such as edu.cn. */
function parent(host: string): string {
  const labels = host.split('.');
  const country = /^(com|edu|gov|net|org|ac|co)\.[a-z]{2}$/.test(labels.slice(-2).join('.'));
  const count = country ? 3 : 2;
  return labels.length < count ? host : labels.slice(-count).join('.');
}
