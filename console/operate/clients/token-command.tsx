import { client } from '../../app/client.ts';
import { tokenCommand } from '../../app/token-command.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import styles from './token-command.module.css';

/** How a program of the client signs in: with its id and its secret, and the command that gets a token with them. */
export function TokenCommand({ clientId }: { readonly clientId: string }) {
  const command = tokenCommand(client.url, clientId);
  return (
    <section className={styles.use} aria-label="Get a token">
      <p className={styles.id}>
        Client id <code>{clientId}</code>
        <CopyButton text={clientId} label="Copy the id" />
      </p>
      <details>
        <summary>Show the command that gets a token</summary>
        <div className={styles.command}>
          <CodeBlock label="Command that gets a token">{command}</CodeBlock>
          <CopyButton text={command} label="Copy the command" />
          <p className={styles.note}>
            Without <code>TELECINE_CLIENT_SECRET</code>, curl asks for the secret.
          </p>
        </div>
      </details>
    </section>
  );
}
