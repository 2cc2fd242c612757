/** The arithmetic behind the home page's illustration: the very loop that its code cell shows. */

export interface Receipts {
  weight: readonly number[];
  price: readonly number[];
}

export interface Descent {
  losses: readonly number[];
  w: number;
  b: number;
}

export const RATE = 0.02;
export const STEPS = 200;

/** Fits price = w · weight + b by gradient descent on the mean squared error, from zero. */
export function descend({ weight, price }: Receipts, { rate = RATE, steps = STEPS } = {}): Descent {
  let w = 0;
  let b = 0;
  const losses: number[] = [];
  for (let step = 0; step < steps; step += 1) {
    let loss = 0;
    let dw = 0;
    let db = 0;
    weight.forEach((x, index) => {
      const error = w * x + b - (price[index] ?? 0);
      loss += error * error;
      dw += 2 * error * x;
      db += 2 * error;
    });
    losses.push(loss / weight.length);
    w -= (rate * dw) / weight.length;
    b -= (rate * db) / weight.length;
  }
  return { losses, w, b };
}

/** An SVG path through `losses` on a logarithmic axis, in a box of `width` × `height`. */
export function lossPath(losses: readonly number[], { width, height }: { width: number; height: number }): string {
  const logs = losses.map((loss) => Math.log10(loss));
  const top = Math.max(...logs);
  const bottom = Math.min(...logs);
  const last = losses.length - 1;
  return logs
    .map((log, index) => {
      const x = (index / last) * width;
      const y = ((top - log) / (top - bottom)) * height;
      return `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`;
    })
    .join('');
}
