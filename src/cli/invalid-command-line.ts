/** An invalid command line: exit code 2. */
export class InvalidCommandLine extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'InvalidCommandLine';
  }
}
