/**
 * The node of a member in one list. A member has one node for each list that it can be in, for as long as it lives. A `Set` instead
 * of the list would make a new table after every few dozen changes, and V8 keeps these tables, with what they refer to, until its next
 * full collection.
 */
export interface ListNode<T> {
  readonly member: T;
  isLinked: boolean;
  before: ListNode<T> | undefined;
  after: ListNode<T> | undefined;
}

export const nodeOf = <T>(member: T): ListNode<T> => ({ member, isLinked: false, before: undefined, after: undefined });

/** Members in the order in which they were appended. Each change takes the same time for any number of members, and no memory. */
export interface LinkedList<T> {
  readonly size: number;
  /** The member that was appended first. */
  readonly first: T | undefined;
  /** Adds a node at the end. A node that is in the list stays where it is. */
  append(node: ListNode<T>): void;
  /** Removes a node. Does nothing if it is not in the list. */
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
