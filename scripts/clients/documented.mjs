// Checks that every exported declaration of the TypeScript client, each of its members and each parameter is described:
// node documented.mjs TOOLS INDEX, with the TypeScript of the folder TOOLS and the declarations of the package.
import { createRequire } from "node:module";
import { join } from "node:path";

const [tools, index] = process.argv.slice(2);
const ts = createRequire(join(tools, "package.json"))("typescript");
const program = ts.createProgram([index], {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  typeRoots: [join(tools, "node_modules/@types")],
  types: ["node"],
});
const checker = program.getTypeChecker();
const missing = new Set();

const isOwn = (node) => node.getSourceFile().fileName.includes("clipmill") && !node.getSourceFile().fileName.endsWith("models.d.ts");
const isDescribed = (symbol) => symbol.getDocumentationComment(checker).length > 0;

/** The parameters of a function that no `@param` describes. */
function parameters(declaration) {
  const described = ts.getJSDocTags(declaration).filter(ts.isJSDocParameterTag).filter((tag) => ts.getTextOfJSDocComment(tag.comment));
  const names = new Set(described.map((tag) => tag.name.getText()));
  return declaration.parameters.map((parameter) => parameter.name.getText()).filter((name) => !names.has(name));
}

function member(symbol, place) {
  for (const declaration of symbol.declarations ?? []) {
    if (!isOwn(declaration) || ts.getCombinedModifierFlags(declaration) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) continue;
    if (declaration.name && ts.isPrivateIdentifier(declaration.name)) continue;
    if (!isDescribed(symbol)) missing.add(place);
    if (ts.isMethodDeclaration(declaration) || ts.isFunctionDeclaration(declaration)) {
      for (const name of parameters(declaration)) missing.add(`${place}(${name})`);
    }
  }
}

let count = 0;
const source = program.getSourceFile(index);
for (let exported of checker.getExportsOfModule(checker.getSymbolAtLocation(source))) {
  const name = exported.name;
  if (name === "models" || name === "VERSION") continue;
  if (exported.flags & ts.SymbolFlags.Alias) exported = checker.getAliasedSymbol(exported);
  member(exported, name);
  const declared = checker.getDeclaredTypeOfSymbol(exported);
  if (!(exported.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface))) continue;
  for (const property of checker.getPropertiesOfType(declared)) {
    count += 1;
    member(property, `${name}.${property.name}`);
  }
}
if (count < 100) missing.add(`only ${count} members were found`);
if (missing.size > 0) {
  console.error(`clipmill: without a description:\n  ${[...missing].sort().join("\n  ")}`);
  process.exit(1);
}
