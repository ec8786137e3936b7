-- Before another arm is looked at.
delete from _shown_arm
