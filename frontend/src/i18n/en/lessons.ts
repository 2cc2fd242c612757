/** Words of the lesson pages. */
import type { lessons as source } from '../zh-CN/lessons.ts';

export const lessons: Record<keyof typeof source, string> = {
  'lessons.title': 'Lessons',
  'lessons.sub': 'Each lesson is a notebook that runs. “Open” makes a copy for you; the next time you come back to the same one.',
  'lesson.minutes': 'about {n} min',
  'lesson.level.beginner': 'Beginner',
  'lesson.level.intermediate': 'Intermediate',
  'lesson.level.advanced': 'Advanced',
  'environment.torch': 'PyTorch',
  'environment.paddle': 'Paddle',
  'lesson.open': 'Open the lesson',
  'lesson.open.short': 'Open',
  'lesson.open.label': 'Open the lesson: {title}',
  'lesson.open.note': 'Copies the lesson into your projects; the original stays as it is. Without an account you enter as a guest.',
  'lesson.open.again': 'You have a copy of this lesson already; you come back to it.',
  'lesson.environment': 'Environment',
  'lesson.time': 'Time',
  'lesson.level': 'Level',
  'lesson.version': 'Version',
  'lesson.badge.title': 'Put it on your site',
  'lesson.badge.text': 'Add the badge to a README, a course page or a blog: one click brings readers into this lesson, no sign-up.',
  'lesson.badge.alt': 'Open in Jiqi',
  'lesson.badge.preview': 'Preview',
  'lesson.badge.markdown': 'Markdown',
  'lesson.badge.html': 'HTML',
  'lesson.badge.link': 'Link',
};
