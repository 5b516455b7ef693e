/** An invalid command line: exit code 2. */
export class WrongWords extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'WrongWords';
  }
}
