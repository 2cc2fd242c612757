/** What a lesson's line of small facts says: how long, how hard, where it runs. */
import { isPortalKey, type PortalT } from '../../i18n/portal.ts';

interface LessonLike {
  minutes: number;
  level: string;
  environment: string;
}

/** A level that has no word yet is shown as the author wrote it. */
export function levelWord(level: string, t: PortalT): string {
  const key = `lesson.level.${level}`;
  return isPortalKey(key) ? t(key) : level;
}

export function lessonFacts({ minutes, level, environment }: LessonLike, t: PortalT): string[] {
  return [t('lesson.minutes', { n: minutes }), levelWord(level, t), environment];
}
