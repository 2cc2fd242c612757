/** What the server will refuse, said before it is sent; the limits are those of the server's domain. */

export interface Refusal {
  key:
    | 'form.required'
    | 'form.name.long'
    | 'form.name.control'
    | 'form.password.short'
    | 'form.password.long'
    | 'form.project.dot'
    | 'form.project.slash'
    | 'form.project.long';
  params?: Record<string, number>;
}

export const NAME_LIMIT = 40;
export const PASSWORD_LEAST = 8;
export const PASSWORD_MOST = 200;
export const PROJECT_BYTES = 200;

const UNSEEN = /[\u0000-\u001f\u007f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u; // eslint-disable-line no-control-regex

/** Counts as the server does: in code points, after trimming and NFC. */
const length = (text: string): number => [...text].length;
const clean = (text: string): string => text.normalize('NFC').trim();

export function checkName(text: string): Refusal | null {
  const name = clean(text);
  if (!name) return { key: 'form.required' };
  if (UNSEEN.test(name)) return { key: 'form.name.control' };
  return length(name) > NAME_LIMIT ? { key: 'form.name.long', params: { limit: NAME_LIMIT } } : null;
}

export function checkPassword(text: string): Refusal | null {
  if (!text) return { key: 'form.required' };
  if (length(text) < PASSWORD_LEAST) return { key: 'form.password.short', params: { least: PASSWORD_LEAST } };
  return length(text) > PASSWORD_MOST ? { key: 'form.password.long', params: { most: PASSWORD_MOST } } : null;
}

/** For a login only: any password that was ever accepted must pass. */
export function checkFilled(text: string): Refusal | null {
  return text ? null : { key: 'form.required' };
}

export function checkProjectName(text: string): Refusal | null {
  const name = clean(text);
  if (!name) return { key: 'form.required' };
  if (name.startsWith('.')) return { key: 'form.project.dot' };
  if (/[/\\]/.test(name)) return { key: 'form.project.slash' };
  if (UNSEEN.test(name)) return { key: 'form.name.control' };
  const bytes = new TextEncoder().encode(name).length;
  return bytes > PROJECT_BYTES ? { key: 'form.project.long', params: { limit: PROJECT_BYTES } } : null;
}

/** The name as it will be stored; used to compare what was typed with what must be confirmed. */
export function sameName(typed: string, name: string): boolean {
  return clean(typed) === clean(name);
}
