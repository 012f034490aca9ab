/**
 * What stands before the library's bash script: it makes its constants read-only, so a shell that reads its start-up
 * file again must not run it again.
 */
export const BEFORE_BASH_SCRIPT = `\
if ! declare -F __beeuni_complete >/dev/null; then
`;

/**
 * What stands after it: the script calls a function of the bash-completion package, which many machines and
 * containers do not have. There it is lent one, only for as long as the words are asked for, because other scripts
 * take one of that name for the package's own.
 */
export const AFTER_BASH_SCRIPT = `\
fi

__beeuni_complete_anywhere() {
    if declare -F _get_comp_words_by_ref >/dev/null; then
        __beeuni_complete "$@"
        return
    fi
    _get_comp_words_by_ref() {
        cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]}
        words=("\${COMP_WORDS[@]:0:COMP_CWORD+1}") cword=$COMP_CWORD
    }
    __beeuni_complete "$@"
    unset -f _get_comp_words_by_ref
}

complete -F __beeuni_complete_anywhere beeuni
`;
