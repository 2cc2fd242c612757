/** Entry of the studio page. */
import '../ui/tokens.css';
