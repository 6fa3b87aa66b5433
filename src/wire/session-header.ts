/**
 * The header field that requests with a session need if they change something. Its value does not matter. A file of its own, so
 * that the client can use it without loading a validator.
 */
export const SESSION_HEADER = 'x-telecine-session';
