import { useEffect, useState } from 'react';
import { shellWord } from '../../packages/contract/src/domain/shell-text.ts';
import { COMMANDS } from '../app/commands.ts';
import { LinkButton } from '../ui/button.tsx';
import { CodeBlock } from '../ui/code-block.tsx';
import { CommandWords } from '../ui/command-words.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { externalAddress } from './external-sign-in.tsx';
import styles from './sign-in-page.module.css';
import { forgetPerson, readPerson } from './sign-in-person.ts';

/** What a person can do whom the issuer knows and this service does not: tell the operator who it is, or sign in as somebody else. */
export function UnknownPerson() {
  const [person] = useState(readPerson);
  // Not while it renders: React may render twice before it shows anything.
  useEffect(forgetPerson, []);
  const command = person && `${COMMANDS.addClient} --external ${shellWord(person.subject)}`;
  return (
    <>
      {person === undefined || command === undefined ? (
        <p className={styles.hint}>The log of the service tells the operator who you are.</p>
      ) : (
        <div className={styles.person}>
          <p>
            Your account is <strong>{person.name ?? person.subject}</strong>. The operator adds you with this command,
            and a name for you instead of <code>NAME</code>:
          </p>
          <CodeBlock label="Command for the operator">
            <CommandWords argv={[...COMMANDS.addClient.split(' '), '--external', person.subject]} />
          </CodeBlock>
          <CopyButton text={command} label="Copy for the operator" isNext />
        </div>
      )}
      {/* Before the operator has added the person, it fails again. */}
      <LinkButton href={externalAddress()}>Sign in again</LinkButton>
      {/* The issuer then asks who signs in, and does not sign the same person in again. */}
      <LinkButton href={externalAddress({ otherAccount: 'true' })}>Sign in with another account</LinkButton>
    </>
  );
}
