/** Two suites: plain node for what has no DOM, the system's Chromium for what touches JupyterLab's widgets. */
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';

import { sharedDefine, sharedResolve, svgAsText } from './vite.config.ts';

const chromium = process.env['JIQI_CHROMIUM'] ?? '/usr/bin/chromium';

export default defineConfig({
  test: {
    reporters: ['default', './vite/summary.ts'],
    projects: [
      {
        resolve: sharedResolve,
        test: { name: 'node', include: ['tests/core/**/*.test.ts'], environment: 'node' },
      },
      {
        plugins: [svgAsText()],
        resolve: sharedResolve,
        define: sharedDefine,
        // Everything is found before the first test: a dependency found later would reload the page under a test.
        optimizeDeps: {
          entries: ['src/**/*.{ts,tsx}', 'tests/browser/**/*.{ts,tsx}'],
          include: ['react/jsx-dev-runtime', 'react-dom/client', 'marked', 'marked-gfm-heading-id', 'marked-mangle'],
          rolldownOptions: { plugins: [svgAsText()] },
        },
        test: {
          name: 'browser',
          include: ['tests/browser/**/*.test.{ts,tsx}'],
          testTimeout: 90_000,
          browser: {
            enabled: true,
            headless: true,
            // A machine of two cores may be busy with the other suites.
            connectTimeout: 240_000,
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
