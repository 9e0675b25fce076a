import { useEffect } from "react";

declare global {
  interface Window {
    tellTyped?: () => void;
  }
}

/**
 * React takes no notice of what was entered before hydration, and a controlled field loses it with its next rendering. This tells React.
 * Its own setters, which `field.value` and `field.checked` call, note a different value first, or it would see no change.
 */
export const typedEarlyScript = import.meta.env.SSR
  ? `(()=>{
const typed=new Map(),note=({target:field})=>typed.set(field,/radio|checkbox/.test(field.type)?field.checked:field.value);
addEventListener("input",note,true);
window.tellTyped=()=>{
delete window.tellTyped;
removeEventListener("input",note,true);
for(const[field,value]of typed){
const tell=type=>field.dispatchEvent(new Event(type,{bubbles:true}));
if(field.type==="file"||field.options)tell("change");
else if(typeof value==="boolean"){field.checked=!value;field.click()}
else if(value!==undefined){
field.value=value+".";
Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field),"value").set.call(field,value);
tell("input")}}}})()`
  : "";

/** For the outermost component, whose effects run after those of the pages, which may restore a draft. */
export function useTypedEarly(): void {
  useEffect(() => window.tellTyped?.(), []);
}
