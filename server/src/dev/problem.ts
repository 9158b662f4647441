/** Something that keeps a lambda from being served, which the person at the keyboard can put right. */
export interface Problem {
  file: string;
  /** From 1; left out where the whole file is meant. */
  line?: number;
  column?: number;
  message: string;
}

/** A problem as one line, `file:line:column: message`, which terminals and editors turn into a link. */
export const problemLine = ({ file, line, column, message }: Problem): string =>
  `${[file, line, column].filter((part) => part !== undefined).join(":")}: ${message}`;
