/** Packages without types of their own. */
declare module 'plotly.js-cartesian-dist-min' {
  const Plotly: { newPlot(node: HTMLElement, figure: object): Promise<unknown> };
  export default Plotly;
}

