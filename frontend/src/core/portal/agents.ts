/** A browser's name out of its User-Agent, for the list of devices. */

const BROWSERS: [RegExp, string][] = [
  [/MicroMessenger\//, '微信 WeChat'],
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const SYSTEMS: [RegExp, string][] = [
  [/HarmonyOS|OpenHarmony/, 'HarmonyOS'],
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
];

const first = (table: [RegExp, string][], agent: string): string | null =>
  table.find(([pattern]) => pattern.test(agent))?.[1] ?? null;

/** "Chrome · Windows"; null when nothing is recognised. */
export function agentName(agent: string): string | null {
  const parts = [first(BROWSERS, agent), first(SYSTEMS, agent)].filter((part) => part !== null);
  return parts.length > 0 ? parts.join(' · ') : null;
}
