/** Why a file was not taken, in words. */
import type { StudioT } from '../../i18n/studio.ts';

export function saveReason(code: string, t: StudioT): string {
  if (code === 'net.unreachable') return t('save.why.unreachable');
  if (code.startsWith('disk.') || code === 'http.507') return t('save.why.disk');
  if (code.startsWith('quota.') || code === 'http.413') return t('save.why.quota');
  if (code === 'http.403' || code === 'auth.forbidden') return t('save.why.forbidden');
  return t(code === 'http.404' ? 'save.why.missing' : 'save.why.other');
}
