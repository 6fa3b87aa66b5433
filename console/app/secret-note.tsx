import { secretCommand } from '../../packages/contract/src/domain/secret-command.ts';
import { useSession } from '../session/use-session.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import styles from './secret-note.module.css';

/** Where the secret is that a copied command needs. */
export function SecretNote() {
  const { data: session } = useSession();
  const { clientId = 'the client', secretFile } = session ?? {};
  const question = (
    <>
      Without <code>TELECINE_CLIENT_SECRET</code>, curl asks for the secret of {clientId}.
    </>
  );
  if (secretFile === undefined)
    return (
      <div className={styles.note}>
        <p>
          {question} It was shown once, when {clientId} was added. An administrator can create a new one.
        </p>
      </div>
    );
  const command = secretCommand(secretFile);
  return (
    <div className={styles.note}>
      <p>{question} On the machine of the service or in its container, this sets it:</p>
      <CodeBlock label="Command that sets the secret">{command}</CodeBlock>
      <CopyButton text={command} label="Copy this line" />
    </div>
  );
}
