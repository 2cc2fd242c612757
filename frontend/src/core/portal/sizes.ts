/** Bytes as people read them. */

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];

/** Powers of 1024, one decimal below ten where it says something: 3.4 MB, 2 GB. */
export function size(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  const text = unit === 0 || value >= 10 ? String(Math.round(value)) : value.toFixed(1).replace(/\.0$/, '');
  return `${text} ${UNITS[unit]}`;
}
