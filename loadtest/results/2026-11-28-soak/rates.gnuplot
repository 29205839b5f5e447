set output 'rates.svg'
set terminal svg size 900,420 font 'sans,12' background '#ffffff'
set datafile missing '?'
set key outside bottom center horizontal
set grid
set yrange [0:*]
set samples 1000
set title 'Offered and issued'
set xlabel 'minutes from the beginning'
set ylabel 'certificates/s'
plot 'rates.tsv' using 1:2 with lines title 'offered' noenhanced,\
  'rates.tsv' using 1:3 with lines lw 2 title 'issued' noenhanced
