import { expect, test } from 'vitest';
import { personCookieAt, personIn } from './sign-in-person.ts';

const cookieOf = (person: unknown): string => Buffer.from(JSON.stringify(person)).toString('base64url');

test('the page reads whom the service does not know', () => {
  const person = { subject: 'auth0|1', name: 'Ánna@example.org' };
  const cookies = `theme=dark; telecine-8080-person=${cookieOf(person)}; telecine-8080=x`;
  expect(personIn(cookies, personCookieAt({ protocol: 'http:', port: '8080' }))).toEqual(person);
  expect(personIn(`__Host-telecine-person=${cookieOf({ subject: 's' })}`, '__Host-telecine-person')).toEqual({
    subject: 's',
  });
});

test('the cookie has the name of that of the session at this address', () => {
  expect(personCookieAt({ protocol: 'https:', port: '' })).toBe('__Host-telecine-person');
  expect(personCookieAt({ protocol: 'https:', port: '8443' })).toBe('__Host-telecine-8443-person');
});

test.each(['', 'x', cookieOf(null), cookieOf('text'), cookieOf({ subject: 7 }), cookieOf({ name: 'a' })])(
  'a cookie that is not one of a person is ignored (%j)',
  (value) => expect(personIn(`p=${value}`, 'p')).toBeUndefined(),
);
