/** Placeholder of the portal page; the portal's features replace it. */
import '../ui/tokens.css';

import { createRoot } from 'react-dom/client';

createRoot(document.getElementById('root') as HTMLElement).render(<p>即启</p>);
