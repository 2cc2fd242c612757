/** Closes a test run with one line that a program can read: `vitest: 12 passed, 0 failed`. */
import type { Reporter, SerializedError, TestModule } from 'vitest/node';

export default class Summary implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const count = { passed: 0, failed: errors.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      if (module.errors().length > 0) count.failed += 1;
      for (const test of module.children.allTests()) count[test.result().state] += 1;
    }
    const skipped = count.skipped ? `, ${count.skipped} skipped` : '';
    // After the default reporter's own lines.
    process.once('exit', () => process.stdout.write(`vitest: ${count.passed} passed, ${count.failed} failed${skipped}\n`));
  }
}
