/** English words of the portal; the type fails when a key is missing. */
import type { PortalKey } from './zh-CN.ts';

export const en: Record<PortalKey, string> = {
  'app.name': 'Jiqi',
  'nav.lessons': 'Lessons',
  'nav.projects': 'Projects',
  'nav.running': 'Running',
  'nav.admin': 'Admin',
};
