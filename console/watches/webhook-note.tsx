import { Link } from '@tanstack/react-router';
import ink from '../ui/ink.module.css';

/** Says how a program learns of what a watch has converted. */
export const WebhookNote = () => (
  <p className={ink.soft}>
    To tell a program when a file is converted, add a <Link to="/operate/webhooks">webhook</Link>.
  </p>
);
