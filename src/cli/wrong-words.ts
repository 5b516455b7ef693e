/** A command line that cannot be meant: exit code 2. */
export class WrongWords extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'WrongWords';
  }
}
