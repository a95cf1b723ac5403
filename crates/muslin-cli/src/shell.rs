//! `muslin completions`, `man`: what shells and `man` know of the command, from the definitions that `--help` shows.

use std::io::{self, Write};

use clap::CommandFactory;
use clap_complete::Shell;
use clap_mangen::Man;

use crate::args::Args;
use crate::console::print;
use crate::exit::{Exit, Failure};

pub(crate) fn completions(shell: Shell) -> Result<Exit, Failure> {
    print(&script(shell))
}

pub(crate) fn man() -> Result<Exit, Failure> {
    let page = page().map_err(|error| Failure::new(Exit::Stopped, format!("cannot make the man page: {error}")))?;
    print(&page)
}

fn script(shell: Shell) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "muslin", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

/// One page for all commands: one file to install, one place to search. clap_mangen would make a page of each, so only
/// what its sections say is taken from it.
fn page() -> io::Result<String> {
    let mut command = Args::command().disable_help_subcommand(true).subcommand_value_name("command");
    command.build();
    let man = Man::new(command.clone());
    let mut page = text(|out| man.render_title(out))?;
    add(&mut page, ".SH NAME", |out| man.render_name_section(out))?;
    add(&mut page, ".SH SYNOPSIS", |out| man.render_synopsis_section(out))?;
    add(&mut page, ".SH OPTIONS", |out| man.render_options_section(out))?;
    page += ".SH COMMANDS\n";
    for subcommand in command.get_subcommands() {
        let man = Man::new(subcommand.clone());
        let heading = format!(".SS muslin {}", subcommand.get_name());
        add(&mut page, &heading, |out| man.render_description_section(out))?;
        add(&mut page, ".PP", |out| man.render_synopsis_section(out))?;
        add(&mut page, ".PP", |out| man.render_options_section(out))?;
        if subcommand.get_after_help().is_some() {
            add(&mut page, ".PP", |out| man.render_extra_section(out))?;
        }
    }
    add(&mut page, ".SH EXIT STATUS", |out| man.render_extra_section(out))?;
    Ok(page)
}

/// Adds what a section of clap_mangen says, under our own heading.
fn add(page: &mut String, heading: &str, render: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let section = text(render)?;
    let body = section.lines().skip_while(|line| !line.starts_with(".SH ")).skip(1);
    page.extend([heading].into_iter().chain(body).flat_map(|line| [line, "\n"]));
    Ok(())
}

fn text(render: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<String> {
    let mut text = Vec::new();
    render(&mut text)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

#[cfg(test)]
mod tests {
    use clap::{Command, ValueEnum};

    use super::*;

    /// The command with all that clap adds to it.
    fn built() -> Command {
        let mut command = Args::command().disable_help_subcommand(true);
        command.build();
        command
    }

    /// Long options of a command, as typed.
    fn options(command: &Command) -> Vec<String> {
        command.get_arguments().filter_map(|option| Some(format!("--{}", option.get_long()?))).collect()
    }

    #[test]
    fn completions_of_every_shell_know_every_command_and_option() {
        for shell in Shell::value_variants() {
            let script = script(*shell);
            for subcommand in built().get_subcommands() {
                let name = subcommand.get_name();
                assert!(script.contains(name), "{shell} does not know `{name}`");
                for option in options(subcommand) {
                    // fish has options without their dashes.
                    let known = script.contains(&option) || script.contains(&format!("-l {}", &option[2..]));
                    assert!(known, "{shell} does not know `{option}` of `{name}`");
                }
            }
        }
    }

    #[test]
    fn the_man_page_has_every_command_with_its_options() {
        let page = page().unwrap().replace("\\-", "-");
        for subcommand in built().get_subcommands() {
            let heading = format!("\n.SS muslin {}\n", subcommand.get_name());
            let (_, after) = page.split_once(&heading).unwrap_or_else(|| panic!("no heading {heading:?} in\n{page}"));
            let section = after.split("\n.S").next().unwrap_or(after);
            for option in options(subcommand) {
                assert!(section.contains(&format!("\\fB{option}\\fR")), "`{option}` is missing: {heading}{section}");
            }
            let about = subcommand.get_about().unwrap().to_string();
            assert!(section.contains(&about), "{about:?} is missing: {heading}{section}");
        }
    }
}
