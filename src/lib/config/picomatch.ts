// The library for globs. https://github.com/micromatch/picomatch
export { default } from 'picomatch';
