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

export const RATE = 0.004;
export const MOMENTUM = 0.9;
export const STEPS = 120;

/** Fits price = w · weight + b by gradient descent with momentum on the mean squared error, from zero. */
export function descend({ weight, price }: Receipts, { rate = RATE, momentum = MOMENTUM, steps = STEPS } = {}): Descent {
  const count = weight.length;
  let [w, b, vw, vb] = [0, 0, 0, 0];
  const losses: number[] = [];
  for (let step = 0; step < steps; step += 1) {
    const errors = weight.map((x, index) => w * x + b - (price[index] ?? 0));
    losses.push(sum(errors.map((error) => error * error)) / count);
    vw = momentum * vw - (rate * 2 * sum(errors.map((error, index) => error * (weight[index] ?? 0)))) / count;
    vb = momentum * vb - (rate * 2 * sum(errors)) / count;
    w += vw;
    b += vb;
  }
  return { losses, w, b };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

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
