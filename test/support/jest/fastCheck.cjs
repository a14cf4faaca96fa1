const SURROGATES = { first: 0xd800, count: 0x800 };
const CHARACTERS = 0x110000 - SURROGATES.count;

/**
 * fast-check lists the million characters of texts of unit `binary` to find one's number, which takes a second and 180 MB
 * of every process. Here that number is calculated: the texts are of the same characters.
 */
function withCalculatedCharacters(fastCheck) {
  const character = fastCheck.nat(CHARACTERS - 1).map(toCharacter, toNumber);
  const ofAny = (name) => (constraints) => {
    const { [name]: unit } = constraints ?? {};
    return unit === 'binary' ? { ...constraints, [name]: character } : constraints;
  };
  const unit = ofAny('unit');
  const stringUnit = ofAny('stringUnit');
  const changed = {
    string: (constraints) => fastCheck.string(unit(constraints)),
    jsonValue: (constraints) => fastCheck.jsonValue(stringUnit(constraints)),
  };
  return { ...fastCheck, ...changed, default: { ...fastCheck.default, ...changed } };
}

const toCharacter = (number) =>
  String.fromCodePoint(number < SURROGATES.first ? number : number + SURROGATES.count);

/** fast-check asks for texts, too, that are no one character: such as those that are names of every object. */
function toNumber(text) {
  const [first, ...others] = String(text);
  if (first === undefined || others.length > 0 || !first.isWellFormed())
    throw new TypeError('not one character');
  const point = first.codePointAt(0);
  return point < SURROGATES.first ? point : point - SURROGATES.count;
}

module.exports = { withCalculatedCharacters };
