/** Style sheets of the notebook widget and our look over them. */
import '@jupyterlab/notebook/style/index.js';
import '@jupyterlab/completer/style/index.js';
import '@jupyterlab/tooltip/style/index.js';
import '@jupyterlab/theme-light-extension/style/variables.css';
import './jupyter.css';
import './cells.css';
import './outputs.css';
