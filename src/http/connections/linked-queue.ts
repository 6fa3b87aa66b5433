/**
 * The place of a member in one queue. A member has one place for each queue that it can be in, made once: a `Set` would make a new
 * table for every few dozen members that join and leave, and V8 keeps such tables, with what they refer to, until its next full
 * collection.
 */
export interface Place<T> {
  readonly member: T;
  isTaken: boolean;
  before: Place<T> | undefined;
  after: Place<T> | undefined;
}

export const placeOf = <T>(member: T): Place<T> => ({ member, isTaken: false, before: undefined, after: undefined });

/** Members in the order in which they joined. Any of them can leave. Joining and leaving allocate nothing and take the same time for any number of members. */
export interface LinkedQueue<T> {
  readonly size: number;
  /** The member that joined first. */
  readonly first: T | undefined;
  /** Joins at the end. A member that is in the queue keeps its place. */
  join(place: Place<T>): void;
  /** Does nothing if the member is not in the queue. */
  leave(place: Place<T>): void;
}

export function linkedQueue<T>(): LinkedQueue<T> {
  let first: Place<T> | undefined;
  let last: Place<T> | undefined;
  let size = 0;
  return {
    get size() {
      return size;
    },
    get first() {
      return first?.member;
    },
    join(place) {
      if (place.isTaken) return;
      place.isTaken = true;
      place.before = last;
      if (last === undefined) first = place;
      else last.after = place;
      last = place;
      size++;
    },
    leave(place) {
      if (!place.isTaken) return;
      const { before, after } = place;
      if (before === undefined) first = after;
      else before.after = after;
      if (after === undefined) last = before;
      else after.before = before;
      place.isTaken = false;
      place.before = undefined;
      place.after = undefined;
      size--;
    },
  };
}
