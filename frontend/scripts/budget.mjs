/** Fails when a page's critical JavaScript (what its HTML names) is over budget, in KB of gzip. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const root = process.argv[2] ?? new URL('../dist/', import.meta.url).pathname;
const budgets = { notebook: 560, portal: 250 };
let failed = false;

for (const [page, budget] of Object.entries(budgets)) {
  const file = join(root, `${page}.html`);
  if (!existsSync(file)) continue;
  const html = readFileSync(file, 'utf8');
  const size = (pattern) =>
    [...html.matchAll(pattern)].reduce((sum, [, path]) => sum + gzipSync(readFileSync(join(root, path)), { level: 9 }).length, 0) / 1024;
  const js = size(/(?:src|href)="\/static\/app\/([^"]+\.js)"/g);
  const css = size(/href="\/static\/app\/([^"]+\.css)"/g);
  const ok = js <= budget;
  failed ||= !ok;
  console.log(`${ok ? 'ok  ' : 'OVER'} ${page}: JS ${js.toFixed(0)} KB of ${budget} KB gz, CSS ${css.toFixed(0)} KB gz`);
}
process.exitCode = failed ? 1 : 0;
