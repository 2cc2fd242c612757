/** The home page's drawing shows numbers that its code would give. */
import { expect, test } from 'vitest';

import { descend, lossPath } from '../../../src/core/portal/descent.ts';

test('the loop ends near the least-squares line through the receipts', () => {
  const { losses, w, b } = descend({ weight: [1, 2, 3, 5, 8], price: [11, 13, 16, 20, 28] });
  // Least squares by hand: w = Σ(x-x̄)(y-ȳ) / Σ(x-x̄)² = 74.6 / 30.8, b = ȳ - w·x̄.
  expect(w).toBeCloseTo(74.6 / 30.8, 1);
  expect(b).toBeCloseTo(17.6 - (74.6 / 30.8) * 3.8, 0);
  expect(losses[0]).toBe(346);
  expect(losses.at(-1)).toBeLessThan(0.15);
});

test('the curve runs from corner to corner of its box', () => {
  const path = lossPath([100, 10, 1], { width: 400, height: 90 });
  expect(path).toBe('M0.0 0.0L200.0 45.0L400.0 90.0');
});
