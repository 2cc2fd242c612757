/** What the small facts beside a lesson or a project say: how long, how hard, where it runs. */
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

/** "PyTorch · CPU" for `torch-cpu`; an environment of the operator's own is shown by its name. */
export function environmentWord(name: string, t: PortalT): string {
  const found = /^(torch|paddle)-(cpu|cuda|gpu)$/.exec(name);
  if (!found) return name;
  return `${t(found[1] === 'torch' ? 'environment.torch' : 'environment.paddle')} · ${found[2] === 'cpu' ? 'CPU' : 'GPU'}`;
}

export function lessonFacts({ minutes, level, environment }: LessonLike, t: PortalT): string[] {
  return [t('lesson.minutes', { n: minutes }), levelWord(level, t), environmentWord(environment, t)];
}
