import { client } from '../../app/client.ts';
import { tokenCommand } from '../../app/token-command.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { FoldedCommand } from '../../ui/folded-command.tsx';
import styles from './token-command.module.css';

/** How a program of the client signs in: with its id and its secret, and the command that gets a token with them. */
export function TokenCommand({ clientId }: { readonly clientId: string }) {
  return (
    <section className={styles.use} aria-label="Get a token">
      <p className={styles.id}>
        Client id <code>{clientId}</code>
        <CopyButton text={clientId} label="Copy the id" />
      </p>
      <FoldedCommand
        summary="Show the command that gets a token"
        label="Command that gets a token"
        command={tokenCommand(client.url, clientId)}
      >
        <p className={styles.note}>
          Without <code>TELECINE_CLIENT_SECRET</code>, curl asks for the secret.
        </p>
      </FoldedCommand>
    </section>
  );
}
