/**
 * The node of a member in one list. A member has one node for each list that it can be in, made once: a `Set` would make a new
 * table for every few dozen members that join and leave, and V8 keeps such tables, with what they refer to, until its next full
 * collection.
 */
export interface ListNode<T> {
  readonly member: T;
  isLinked: boolean;
  before: ListNode<T> | undefined;
  after: ListNode<T> | undefined;
}

export const nodeOf = <T>(member: T): ListNode<T> => ({ member, isLinked: false, before: undefined, after: undefined });

/** Members in the order in which they joined. Any of them can leave. Joining and leaving allocate nothing and take the same time for any number of members. */
export interface LinkedList<T> {
  readonly size: number;
  /** The member that joined first. */
  readonly first: T | undefined;
  /** Joins at the end. A member that is in the list keeps its place. */
  append(node: ListNode<T>): void;
  /** Does nothing if the member is not in the list. */
  remove(node: ListNode<T>): void;
}

export function linkedList<T>(): LinkedList<T> {
  let first: ListNode<T> | undefined;
  let last: ListNode<T> | undefined;
  let size = 0;
  return {
    get size() {
      return size;
    },
    get first() {
      return first?.member;
    },
    append(node) {
      if (node.isLinked) return;
      node.isLinked = true;
      node.before = last;
      if (last === undefined) first = node;
      else last.after = node;
      last = node;
      size++;
    },
    remove(node) {
      if (!node.isLinked) return;
      const { before, after } = node;
      if (before === undefined) first = after;
      else before.after = after;
      if (after === undefined) last = before;
      else after.before = before;
      node.isLinked = false;
      node.before = undefined;
      node.after = undefined;
      size--;
    },
  };
}
