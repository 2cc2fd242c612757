/** Two suites: plain node for what has no DOM, the system's Chromium for what touches JupyterLab's widgets. */
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';

import { sharedDefine, sharedResolve, svgAsText } from './vite.config.ts';

const chromium = process.env['JIQI_CHROMIUM'] ?? '/usr/bin/chromium';

export default defineConfig({
  test: {
    projects: [
      {
        resolve: sharedResolve,
        test: { name: 'node', include: ['tests/core/**/*.test.ts'], environment: 'node' },
      },
      {
        plugins: [svgAsText()],
        resolve: sharedResolve,
        define: sharedDefine,
        optimizeDeps: { rolldownOptions: { plugins: [svgAsText()] } },
        test: {
          name: 'browser',
          include: ['tests/browser/**/*.test.{ts,tsx}'],
          testTimeout: 30_000,
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: {
                executablePath: chromium,
                args: ['--no-sandbox', '--disable-background-networking', '--disable-dev-shm-usage'],
              },
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
});
