import { client } from '../../app/client.ts';
import { tokenCommand } from '../../app/token-command.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import styles from './token-command.module.css';

/** The command by which a program of the client gets a token. */
export function TokenCommand({ clientId }: { readonly clientId: string }) {
  const command = tokenCommand(client.url, clientId);
  return (
    <section className={styles.use} aria-label="Get a token">
      <div className={styles.bar}>
        <p className={styles.note}>
          Run this to get a token. Without <code>TELECINE_CLIENT_SECRET</code>, curl asks for the secret.
        </p>
        <CopyButton text={command} label="Copy the command" />
      </div>
      <CodeBlock label="Command that gets a token">{command}</CodeBlock>
    </section>
  );
}
