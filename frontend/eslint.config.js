/** Lint rules; the layers of the frontend are held here: core without React, ui without features, features apart. */
import { readdirSync } from 'node:fs';

import js from '@eslint/js';
import hooks from 'eslint-plugin-react-hooks';
import globals from 'globals';
import ts from 'typescript-eslint';

const features = readdirSync(new URL('./src/features', import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);

const forbid = (patterns) => ({ 'no-restricted-imports': ['error', { patterns }] });
const react = {
  group: ['react', 'react-*', 'react/*', 'react-dom/*', 'antd', 'antd/*', '@tanstack/*'],
  message: 'src/core holds no React: put the screen into a feature.',
};
const upwards = { group: ['**/features/**', '**/app/**'], message: 'Lower layers must not import features or app.' };

export default ts.config(
  { ignores: ['dist/', 'node_modules/', 'src/api/schema.d.ts', 'src/app/early.js'] },
  js.configs.recommended,
  ...ts.configs.recommended,
  { languageOptions: { globals: { ...globals.browser } } },
  { files: ['*.js', 'scripts/**', 'dev/**', '*.ts', 'vite/**'], languageOptions: { globals: { ...globals.node } } },
  {
    plugins: { 'react-hooks': hooks },
    rules: {
      'react-hooks/rules-of-hooks': 'error',
      'react-hooks/exhaustive-deps': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-imports': 'error',
      eqeqeq: 'error',
      'no-console': ['error', { allow: ['warn', 'error'] }],
    },
  },
  { files: ['scripts/**'], rules: { 'no-console': 'off' } },
  {
    files: ['src/core/**', 'src/i18n/**'],
    rules: forbid([react, upwards, { group: ['**/ui/**'], message: 'src/core must not import ui.' }]),
  },
  { files: ['src/ui/**'], rules: forbid([upwards]) },
  ...features.map((name) => ({
    files: [`src/features/${name}/**`],
    rules: forbid([
      { group: ['**/app/**'], message: 'A feature must not import the app that composes it.' },
      {
        group: features.filter((other) => other !== name).flatMap((other) => [`../${other}`, `../${other}/**`, `**/features/${other}/**`]),
        message: 'One feature must not import another: share through ui or core.',
      },
    ]),
  })),
);
