/** The API's types are those of docs/openapi.json, as `npm run types` writes them. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

const here = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

test('src/api/schema.d.ts is current', { timeout: 60_000 }, () => {
  const { scripts } = JSON.parse(readFileSync(here('package.json'), 'utf8')) as { scripts: { types: string } };
  const folder = mkdtempSync(join(tmpdir(), 'jiqi-types-'));
  const made = join(folder, 'schema.d.ts');
  try {
    const options = scripts.types.split(' ').slice(1).map((part) => (part.endsWith('schema.d.ts') ? made : part));
    execFileSync(process.execPath, [here('node_modules/openapi-typescript/bin/cli.js'), ...options], { cwd: here('.'), stdio: 'pipe' });
    expect(readFileSync(here('src/api/schema.d.ts'), 'utf8') === readFileSync(made, 'utf8'), 'run `npm run types`').toBe(true);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
